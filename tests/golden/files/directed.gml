graph [
  directed 1
  node [
    id 0
    label "5"
  ]
  node [
    id 1
    label "3"
  ]
  node [
    id 2
    label "4"
  ]
  node [
    id 3
    label "8"
  ]
  node [
    id 4
    label "2"
  ]
  node [
    id 5
    label "11"
  ]
  edge [
    source 0
    target 1
    weight 1.5
  ]
  edge [
    source 1
    target 2
    weight 0.5
  ]
  edge [
    source 2
    target 1
    weight 2.0
  ]
  edge [
    source 3
    target 0
    weight 1.0
  ]
  edge [
    source 2
    target 3
    weight 0.75
  ]
  edge [
    source 4
    target 3
    weight 4.0
  ]
]
