graph [
  directed 0
  node [
    id 0
    label "3"
  ]
  node [
    id 1
    label "1"
  ]
  node [
    id 2
    label "7"
  ]
  node [
    id 3
    label "9"
  ]
  node [
    id 4
    label "12"
  ]
  node [
    id 5
    label "20"
  ]
  node [
    id 6
    label "21"
  ]
  edge [
    source 0
    target 1
  ]
  edge [
    source 0
    target 2
  ]
  edge [
    source 1
    target 2
  ]
  edge [
    source 2
    target 3
  ]
  edge [
    source 3
    target 4
  ]
  edge [
    source 5
    target 6
  ]
]
