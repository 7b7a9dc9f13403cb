Creator "hand"
graph [
  directed 0
  node [ id 10 label "ann" graphics [ x 1 y 2 ] ]
  node [ id 20 label "bob" ]
  node [ id 30 label "zo&#235;" ]
  node [ id 40 label "dan" ]
  node [ id 50 label "lone" ]
  edge [ source 10 target 20 weight 1.5 ]
  edge [ source 20 target 30 weight 2 ]
  edge [ source 10 target 30 weight 0.25 ]
  edge [ source 30 target 40 weight 3 ]
]
